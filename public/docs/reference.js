// Nothing is loaded from elsewhere: the validator badge would be.
SwaggerUIBundle({ url: "/openapi.json", dom_id: "#reference", deepLinking: true, validatorUrl: null })
